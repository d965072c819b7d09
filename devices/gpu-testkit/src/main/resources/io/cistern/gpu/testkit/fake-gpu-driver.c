// A driver without a device: the functions of CUDA's driver API (or with -DHIP those of HIP) that
// Cistern calls, over host memory, at the real calling convention. A test reads what was called and
// what is live, and has calls fail, by the functions named fake_ at the end.
//
// Work is done when it is queued. While fake_hold is on, events and streams say that it is not.
// -DWITHOUT_POOLS, -DWITHOUT_GRAPHS, -DWITHOUT_MANAGED and -DWITHOUT_ALLOCATE leave functions out,
// as older drivers do.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef HIP
#define NAME(cuda, hip) hip
#define ATTRIBUTE_MANAGED 24
#define ATTRIBUTE_CONCURRENT 9
#define ATTRIBUTE_POOLS 88
#else
#define NAME(cuda, hip) cuda
#define ATTRIBUTE_MANAGED 83
#define ATTRIBUTE_CONCURRENT 89
#define ATTRIBUTE_POOLS 115
#endif

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_DEVICE = 101,
       INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_READY = 600, CAPTURE_UNSUPPORTED = 900,
       CAPTURE_INVALIDATED = 901 };
// From this number on a code that a call is made to give stays, as those of lost devices do.
enum { FIRST_LOST = 700, LAST_LOST = 799 };
enum { MAX_DEVICES = 4, MAX_OPS = 256, STACK = 16, LARGE = 1 << 20, ALIGNMENT = 512,
       MOST_LOG = 1 << 24 };

typedef enum { BLOCK, HOST_BLOCK, POOL, STREAM, EVENT, GRAPH, EXEC, KINDS } kind;
static const char *const KIND_NAMES[] = {"block", "host", "pool", "stream", "event", "graph", "exec"};

typedef struct { char what; char *to; const char *from; size_t size; unsigned char value; } op;
typedef struct object {
  kind kind; int serial; int device; struct object *next;
  char *memory; size_t size; struct object *pool;       // blocks
  int held;                                             // events and streams: the hold they met
  struct object *recording; int invalidated;            // streams
  op ops[MAX_OPS]; int op_count;                        // graphs
} object;
typedef struct { int retained; size_t used; } device;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static object *objects;
static int serials[KINDS];
static device devices[MAX_DEVICES];
static int device_count = 2, driver_version = NAME(12040, 60241134), max_blocks, misalign, lost, hold, holds, leaks, users;
static int managed = 1, concurrent = 1;
static size_t capacity = (size_t)4 << 30;
static long calls;
static char fail_function[64]; static int fail_after, fail_each, fail_code;
static char *log_text; static size_t log_length, log_room;
static __thread int stack[STACK] __attribute__((unused)), depth, selected;

static void unlock(int *unused) { (void)unused; pthread_mutex_unlock(&mutex); }

static void append(const char *text) {
  size_t length = strlen(text);
  if (log_length > MOST_LOG) return;
  if (log_length + length + 1 > log_room) {
    log_room = 2 * (log_room + length + 1);
    log_text = realloc(log_text, log_room);
  }
  memcpy(log_text + log_length, text, length + 1);
  log_length += length;
}

// Notes a call, and says whether it is one that is to fail.
static int begin(const char *function, const char *format, ...) {
  char arguments[512];
  va_list list;
  va_start(list, format);
  vsnprintf(arguments, sizeof arguments, format, list);
  va_end(list);
  append(function); append("("); append(arguments); append(")\n");
  calls++;
  if (fail_function[0] && (!strcmp(fail_function, "*") || !strcmp(fail_function, function))) {
    if (fail_each || --fail_after == 0) {
      if (fail_code >= FIRST_LOST && fail_code <= LAST_LOST) lost = fail_code;
      if (!fail_each) fail_function[0] = 0;
      return fail_code;
    }
  }
  return 0;
}

#define LOCKED int guard __attribute__((cleanup(unlock), unused)) = pthread_mutex_lock(&mutex)
#define ENTER(...) LOCKED; int code = begin(__func__, __VA_ARGS__); if (code) return code
#define WORKS if (lost) return lost
#ifdef HIP
#define IN_CONTEXT WORKS
static int current(void) { return selected; }
#else
#define IN_CONTEXT WORKS; if (depth == 0 || !devices[stack[depth - 1]].retained) return INVALID_CONTEXT
static int current(void) { return stack[depth - 1]; }
#endif

static object *make(kind kind) {
  object *made = calloc(1, sizeof *made);
  made->kind = kind; made->serial = ++serials[kind]; made->device = current();
  made->next = objects;
  objects = made;
  return made;
}

static object *find(const void *handle, kind kind) {
  for (object *it = objects; it; it = it->next) if (it == handle && it->kind == kind) return it;
  return NULL;
}

static object *holding(const void *address) {
  for (object *it = objects; it; it = it->next)
    if (it->kind <= HOST_BLOCK && (const char *)address >= it->memory
        && (const char *)address < it->memory + it->size) return it;
  return NULL;
}

static void drop(object *gone) {
  object **link = &objects;
  while (*link != gone) link = &(*link)->next;
  *link = gone->next;
  if (gone->memory) {
    char *memory = gone->memory - misalign;
    if (gone->kind == BLOCK) devices[gone->device].used -= gone->size;
    if (gone->size >= LARGE) munmap(memory, gone->size + ALIGNMENT); else free(memory);
  }
  free(gone);
}

// What a handle or an address is, for the log: stream#1, block#2+256.
static const char *label(const void *handle) {
  static __thread char texts[4][48];
  static __thread int next;
  char *text = texts[next++ % 4];
  for (object *it = objects; it; it = it->next)
    if (it == handle) { snprintf(text, 48, "%s#%d", KIND_NAMES[it->kind], it->serial); return text; }
  object *block = holding(handle);
  if (block) snprintf(text, 48, "%s#%d+%zu", KIND_NAMES[block->kind], block->serial,
                      (size_t)((const char *)handle - block->memory));
  else snprintf(text, 48, "%s", handle ? "memory" : "null");
  return text;
}

static int count(kind kind) {
  int found = 0;
  for (object *it = objects; it; it = it->next) found += it->kind == kind;
  return found;
}

static int allocate(void **out, size_t size, kind kind, object *pool) {
  if (size == 0) return INVALID_VALUE;
  if (kind == BLOCK && size > capacity - devices[current()].used) return OUT_OF_MEMORY;
  if (max_blocks && count(BLOCK) + count(HOST_BLOCK) >= max_blocks) return OUT_OF_MEMORY;
  char *memory;
  if (size >= LARGE) {
    memory = mmap(NULL, size + ALIGNMENT, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return OUT_OF_MEMORY;
  } else {
    memory = aligned_alloc(ALIGNMENT, (size / ALIGNMENT + 2) * ALIGNMENT);
  }
  object *block = make(kind);
  block->memory = memory + misalign; block->size = size; block->pool = pool;
  if (kind == BLOCK) devices[block->device].used += size;
  *out = block->memory;
  return 0;
}

static int give_back(void *address, kind kind) {
  object *block = holding(address);
  if (!block || block->kind != kind || block->memory != address) return INVALID_VALUE;
  drop(block);
  return 0;
}

static void run(const op *it) {
  if (it->what == 'f') memset(it->to, it->value, it->size); else memmove(it->to, it->from, it->size);
}

static int queue(object *stream, op it) {
  if (!stream) return INVALID_HANDLE;
  stream->held = hold ? holds : stream->held;
  if (stream->recording) {
    if (stream->recording->op_count == MAX_OPS) return INVALID_VALUE;
    stream->recording->ops[stream->recording->op_count++] = it;
  } else {
    run(&it);
  }
  return 0;
}

static int is_held(const object *it) { return hold && it->held == holds; }

// The driver and its devices.

int NAME(cuInit, hipInit)(unsigned flags) { ENTER("%u", flags); WORKS; return 0; }

int NAME(cuDriverGetVersion, hipDriverGetVersion)(int *version) {
  ENTER("%s", ""); *version = driver_version; return 0;
}

static const char *error_name(int error) {
  switch (error) {
    case 1: return NAME("CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue");
    case 2: return NAME("CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory");
    case 100: return NAME("CUDA_ERROR_NO_DEVICE", "hipErrorNoDevice");
    case 201: return NAME("CUDA_ERROR_INVALID_CONTEXT", "hipErrorInvalidContext");
    case 400: return NAME("CUDA_ERROR_INVALID_HANDLE", "hipErrorInvalidHandle");
    case 700: return NAME("CUDA_ERROR_ILLEGAL_ADDRESS", "hipErrorIllegalAddress");
    case 719: return NAME("CUDA_ERROR_LAUNCH_FAILED", "hipErrorLaunchFailure");
    case 803: return "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";
    case 999: return NAME("CUDA_ERROR_UNKNOWN", "hipErrorUnknown");
    default: return NULL;
  }
}

#ifdef HIP
const char *hipGetErrorName(int error) { return error_name(error); }
#else
int cuGetErrorName(int error, const char **name) {
  *name = error_name(error);
  return *name ? 0 : INVALID_VALUE;
}
#endif

int NAME(cuDeviceGetCount, hipGetDeviceCount)(int *found) {
  ENTER("%s", ""); WORKS; *found = device_count; return 0;
}

int NAME(cuDeviceGet, hipDeviceGet)(int *handle, int ordinal) {
  ENTER("%d", ordinal); WORKS;
  if (ordinal < 0 || ordinal >= device_count) return INVALID_DEVICE;
  *handle = ordinal;
  return 0;
}

int NAME(cuDeviceGetName, hipDeviceGetName)(char *name, int room, int handle) {
  ENTER("%d, %d", room, handle); WORKS; snprintf(name, room, "Fake GPU %d", handle); return 0;
}

int NAME(cuDeviceTotalMem_v2, hipDeviceTotalMem)(size_t *size, int handle) {
  ENTER("%d", handle); WORKS; *size = capacity; return 0;
}

int NAME(cuDeviceGetAttribute, hipDeviceGetAttribute)(int *value, int attribute, int handle) {
  ENTER("%d, %d", attribute, handle); WORKS;
  switch (attribute) {
    case ATTRIBUTE_MANAGED: *value = managed; return 0;
    case ATTRIBUTE_CONCURRENT: *value = concurrent; return 0;
    case ATTRIBUTE_POOLS: *value = 1; return 0;
    default: return INVALID_VALUE;
  }
}

// What is current to a thread.

#ifdef HIP
int hipGetDevice(int *ordinal) { ENTER("%s", ""); WORKS; *ordinal = selected; return 0; }

int hipSetDevice(int ordinal) {
  ENTER("%d", ordinal); WORKS;
  if (ordinal < 0 || ordinal >= device_count) return INVALID_DEVICE;
  selected = ordinal;
  return 0;
}
#else
int cuDevicePrimaryCtxRetain(device **context, int handle) {
  ENTER("%d", handle); WORKS;
  devices[handle].retained++;
  *context = &devices[handle];
  return 0;
}

// The last release ends what is left in the context; on a device that works this is a leak. It is
// of effect on a lost device too.
int cuDevicePrimaryCtxRelease_v2(int handle) {
  LOCKED;
  int code = begin(__func__, "%d", handle);
  if (code && !lost) return code;
  if (devices[handle].retained == 0) return INVALID_CONTEXT;
  if (--devices[handle].retained == 0) {
    for (object *it = objects, *next; it; it = next) {
      next = it->next;
      if (it->device == handle) { leaks += !lost; drop(it); }
    }
  }
  return lost;
}

int cuCtxPushCurrent_v2(device *context) {
  ENTER("%d", (int)(context - devices));
  if (depth == STACK) return INVALID_VALUE;
  stack[depth++] = (int)(context - devices);
  return 0;
}

int cuCtxPopCurrent_v2(device **context) {
  ENTER("%s", "");
  if (depth == 0) return INVALID_CONTEXT;
  *context = &devices[stack[--depth]];
  return 0;
}
#endif

// Memory.

int NAME(cuMemGetInfo_v2, hipMemGetInfo)(size_t *left, size_t *total) {
  ENTER("%s", ""); IN_CONTEXT;
  *left = capacity - devices[current()].used; *total = capacity;
  return 0;
}

#ifndef WITHOUT_ALLOCATE
int NAME(cuMemAlloc_v2, hipMalloc)(void **out, size_t size) {
  ENTER("%zu", size); IN_CONTEXT; return allocate(out, size, BLOCK, NULL);
}
#endif

int NAME(cuMemFree_v2, hipFree)(void *address) {
  ENTER("%s", label(address)); IN_CONTEXT; return give_back(address, BLOCK);
}

int NAME(cuMemHostAlloc, hipHostMalloc)(void **out, size_t size, unsigned flags) {
  ENTER("%zu, %u", size, flags); IN_CONTEXT; return allocate(out, size, HOST_BLOCK, NULL);
}

int NAME(cuMemFreeHost, hipHostFree)(void *address) {
  ENTER("%s", label(address)); IN_CONTEXT; return give_back(address, HOST_BLOCK);
}

#ifndef WITHOUT_MANAGED
int NAME(cuMemAllocManaged, hipMallocManaged)(void **out, size_t size, unsigned flags) {
  ENTER("%zu, %u", size, flags); IN_CONTEXT; return allocate(out, size, BLOCK, NULL);
}
#endif

#ifndef WITHOUT_POOLS
typedef struct {
  int type, handle_types, location_type, location; void *security; size_t max_size;
  unsigned char reserved[56];
} pool_properties;

int NAME(cuMemPoolCreate, hipMemPoolCreate)(object **out, const pool_properties *wanted) {
  ENTER("type %d, handles %d, location %d:%d, at most %zu", wanted->type, wanted->handle_types,
        wanted->location_type, wanted->location, wanted->max_size);
  IN_CONTEXT;
  for (int i = 0; i < 56; i++) if (wanted->reserved[i]) return INVALID_VALUE;
  if (wanted->type != 1 || wanted->location_type != 1 || wanted->security) return INVALID_VALUE;
  *out = make(POOL);
  return 0;
}

int NAME(cuMemPoolSetAttribute, hipMemPoolSetAttribute)(object *pool, int attribute, void *value) {
  ENTER("%s, %d, %llu", label(pool), attribute, (unsigned long long)*(uint64_t *)value);
  IN_CONTEXT;
  return find(pool, POOL) && attribute == 4 ? 0 : INVALID_VALUE;
}

int NAME(cuMemPoolDestroy, hipMemPoolDestroy)(object *pool) {
  ENTER("%s", label(pool)); IN_CONTEXT;
  if (!find(pool, POOL)) return INVALID_VALUE;
  drop(pool);
  return 0;
}

int NAME(cuMemAllocFromPoolAsync, hipMallocFromPoolAsync)(void **out, size_t size, object *pool,
                                                          object *stream) {
  ENTER("%zu, %s, %s", size, label(pool), label(stream)); IN_CONTEXT;
  if (!find(pool, POOL) || !find(stream, STREAM)) return INVALID_HANDLE;
  return allocate(out, size, BLOCK, pool);
}

int NAME(cuMemFreeAsync, hipFreeAsync)(void *address, object *stream) {
  ENTER("%s, %s", label(address), label(stream)); IN_CONTEXT;
  return find(stream, STREAM) ? give_back(address, BLOCK) : INVALID_HANDLE;
}
#endif

// Streams, copies, events.

int NAME(cuStreamCreate, hipStreamCreateWithFlags)(object **out, unsigned flags) {
  ENTER("%u", flags); IN_CONTEXT; *out = make(STREAM); return 0;
}

int NAME(cuStreamDestroy_v2, hipStreamDestroy)(object *stream) {
  ENTER("%s", label(stream)); IN_CONTEXT;
  if (!find(stream, STREAM)) return INVALID_HANDLE;
  drop(stream);
  return 0;
}

int NAME(cuStreamSynchronize, hipStreamSynchronize)(object *stream) {
  ENTER("%s", label(stream)); IN_CONTEXT;
  if (!find(stream, STREAM)) return INVALID_HANDLE;
  if (stream->recording) { stream->invalidated = 1; return CAPTURE_UNSUPPORTED; }
  while (is_held(stream)) pthread_cond_wait(&released, &mutex);
  return 0;
}

int NAME(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync)(void *to, const void *from, size_t size,
                                                   object *stream) {
  ENTER("%s, %s, %zu, %s", label(to), label(from), size, label(stream)); IN_CONTEXT;
  return queue(find(stream, STREAM), (op){'c', to, from, size, 0});
}

int NAME(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync)(void *to, const void *from, size_t size,
                                                   object *stream) {
  ENTER("%s, %s, %zu, %s", label(to), label(from), size, label(stream)); IN_CONTEXT;
  return queue(find(stream, STREAM), (op){'c', to, from, size, 0});
}

int NAME(cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync)(void *to, const void *from, size_t size,
                                                   object *stream) {
  ENTER("%s, %s, %zu, %s", label(to), label(from), size, label(stream)); IN_CONTEXT;
  return queue(find(stream, STREAM), (op){'c', to, from, size, 0});
}

int NAME(cuMemsetD8Async, hipMemsetD8Async)(void *to, unsigned char value, size_t size,
                                            object *stream) {
  ENTER("%s, %u, %zu, %s", label(to), value, size, label(stream)); IN_CONTEXT;
  return queue(find(stream, STREAM), (op){'f', to, NULL, size, value});
}

int NAME(cuEventCreate, hipEventCreateWithFlags)(object **out, unsigned flags) {
  ENTER("%u", flags); IN_CONTEXT; *out = make(EVENT); return 0;
}

int NAME(cuEventRecord, hipEventRecord)(object *event, object *stream) {
  ENTER("%s, %s", label(event), label(stream)); IN_CONTEXT;
  if (!find(event, EVENT) || !find(stream, STREAM)) return INVALID_HANDLE;
  event->held = hold ? holds : 0;
  return 0;
}

int NAME(cuEventQuery, hipEventQuery)(object *event) {
  ENTER("%s", label(event)); IN_CONTEXT;
  if (!find(event, EVENT)) return INVALID_HANDLE;
  return is_held(event) ? NOT_READY : 0;
}

int NAME(cuEventDestroy_v2, hipEventDestroy)(object *event) {
  ENTER("%s", label(event)); IN_CONTEXT;
  if (!find(event, EVENT)) return INVALID_HANDLE;
  drop(event);
  return 0;
}

// Graphs.

#ifndef WITHOUT_GRAPHS
int NAME(cuStreamBeginCapture_v2, hipStreamBeginCapture)(object *stream, int mode) {
  ENTER("%s, %d", label(stream), mode); IN_CONTEXT;
  if (!find(stream, STREAM) || stream->recording) return INVALID_HANDLE;
  stream->recording = make(GRAPH); stream->invalidated = 0;
  return 0;
}

int NAME(cuStreamEndCapture, hipStreamEndCapture)(object *stream, object **out) {
  ENTER("%s", label(stream)); IN_CONTEXT;
  if (!find(stream, STREAM) || !stream->recording) return INVALID_HANDLE;
  *out = stream->recording;
  stream->recording = NULL;
  if (stream->invalidated) { drop(*out); *out = NULL; return CAPTURE_INVALIDATED; }
  return 0;
}

int NAME(cuGraphInstantiateWithFlags, hipGraphInstantiateWithFlags)(object **out, object *graph,
                                                                    unsigned long long flags) {
  ENTER("%s, %llu", label(graph), flags); IN_CONTEXT;
  if (!find(graph, GRAPH)) return INVALID_HANDLE;
  *out = make(EXEC);
  memcpy((*out)->ops, graph->ops, sizeof graph->ops);
  (*out)->op_count = graph->op_count;
  return 0;
}

int NAME(cuGraphLaunch, hipGraphLaunch)(object *exec, object *stream) {
  ENTER("%s, %s", label(exec), label(stream)); IN_CONTEXT;
  if (!find(exec, EXEC) || !find(stream, STREAM)) return INVALID_HANDLE;
  for (int i = 0; i < exec->op_count; i++) queue(stream, exec->ops[i]);
  return 0;
}

int NAME(cuGraphExecDestroy, hipGraphExecDestroy)(object *exec) {
  ENTER("%s", label(exec)); IN_CONTEXT;
  if (!find(exec, EXEC)) return INVALID_HANDLE;
  drop(exec);
  return 0;
}

int NAME(cuGraphDestroy, hipGraphDestroy)(object *graph) {
  ENTER("%s", label(graph)); IN_CONTEXT;
  if (!find(graph, GRAPH)) return INVALID_HANDLE;
  drop(graph);
  return 0;
}
#endif

// What a test does.

// Begins anew: two devices of so many bytes each, nothing live, nothing to fail.
void fake_reset(int64_t byte_size) {
  LOCKED;
  while (objects) drop(objects);
  memset(devices, 0, sizeof devices);
  memset(serials, 0, sizeof serials);
  device_count = 2; driver_version = NAME(12040, 60241134);
  max_blocks = misalign = lost = hold = leaks = 0; managed = concurrent = 1;
  capacity = byte_size;
  calls = 0; log_length = 0; fail_function[0] = 0; depth = 0; selected = 0;
}

// Has a call fail with a code: the nth from here on of a function, "*" being all; every one if nth
// is 0. A code of 0 ends this.
void fake_fail(const char *function, int nth, int error) {
  LOCKED;
  snprintf(fail_function, sizeof fail_function, "%s", error ? function : "");
  fail_after = nth; fail_each = nth == 0; fail_code = error;
}

// Sets a figure: "devices", "max-blocks", "misalign", "lost" (the code that every call gives),
// "hold", "managed", "concurrent".
void fake_set(const char *name, int value) {
  LOCKED;
  if (!strcmp(name, "devices")) device_count = value;
  if (!strcmp(name, "max-blocks")) max_blocks = value;
  if (!strcmp(name, "misalign")) misalign = value;
  if (!strcmp(name, "lost")) lost = value;
  if (!strcmp(name, "managed")) managed = value;
  if (!strcmp(name, "concurrent")) concurrent = value;
  if (!strcmp(name, "hold")) { hold = value; holds += value; pthread_cond_broadcast(&released); }
}

// Has memory in a native call until the hold ends.
void fake_use(const void *memory) {
  LOCKED;
  (void)memory;
  users++;
  while (hold) pthread_cond_wait(&released, &mutex);
  users--;
}

// What is live by its kind, or "users" (calls of fake_use under way), "contexts", "bytes", "leaks", "calls", "depth" (contexts pushed on
// this thread).
int64_t fake_count(const char *what) {
  LOCKED;
  int64_t retained = 0, used = 0;
  for (int i = 0; i < MAX_DEVICES; i++) { retained += devices[i].retained; used += devices[i].used; }
  if (!strcmp(what, "contexts")) return retained;
  if (!strcmp(what, "bytes")) return used;
  if (!strcmp(what, "leaks")) return leaks;
  if (!strcmp(what, "calls")) return calls;
  if (!strcmp(what, "depth")) return depth;
  if (!strcmp(what, "users")) return users;
  for (int i = 0; i < KINDS; i++) if (!strcmp(what, KIND_NAMES[i])) return count(i);
  return -1;
}

// Moves the log into a buffer; returns its length, or that needed if the buffer is too small.
int64_t fake_log(char *buffer, int64_t room) {
  LOCKED;
  int64_t length = log_length;
  if (length <= room) { if (length) memcpy(buffer, log_text, length); log_length = 0; }
  return length;
}
