
// The map: memory from left to right in lines, one page behind the other.

const FREE = -1;
const REST = -2;
const NO_TAG = -1;
const LINES = 20;
const LINE_GAP = 2;
const PALETTE = ['#4477aa', '#66ccee', '#228833', '#a5b83a', '#e0a030', '#ee7733', '#ee6677', '#aa3377'];

/** Takes the flat lists of a moment apart. */
function parts(moment, unit, tagged) {
  const groups = [];
  for (let i = 0, start = 0; i < moment.groups.length; i += 8) {
    const [number, pages, pool, byteSize, inUse, free, largestFree, slices] = moment.groups.slice(i, i + 8);
    groups.push({number, pages, pool, byteSize, inUse, free, largestFree, slices, start});
    start += byteSize;
  }
  const runs = [];
  for (let i = 0, start = 0, group = 0; i < moment.runs.length;) {
    const exact = moment.runs[i] > 0;
    const byteSize = Math.abs(moment.runs[i++]) * unit;
    const sizeClass = moment.runs[i++];
    const tag = tagged ? moment.runs[i++] : NO_TAG;
    const slices = exact ? (sizeClass >= 0 ? 1 : 0) : moment.runs[i++];
    const taken = exact ? (sizeClass >= 0 ? 1 : 0) : moment.runs[i++] / 100;
    while (group < groups.length - 1 && start >= groups[group + 1].start) group++;
    runs.push({start, byteSize, sizeClass, tag, slices, taken, exact, group: groups[group]});
    start += byteSize;
  }
  return {groups, runs};
}

/** At most as many steps as there are colours, each some size classes. */
function sizeSteps(moments) {
  let low = 63;
  let high = 0;
  for (const {runs} of moments) {
    for (const {sizeClass} of runs) {
      if (sizeClass >= 0) {
        low = Math.min(low, sizeClass);
        high = Math.max(high, sizeClass);
      }
    }
  }
  const width = Math.max(1, Math.ceil((high - low + 1) / PALETTE.length));
  return {
    index: sizeClass => Math.floor((sizeClass - low) / width),
    names: low > high ? [] : Array.from({length: Math.floor((high - low) / width) + 1},
        (_, i) => size(2 ** (low + i * width)) + ' to ' + size(2 ** (low + (i + 1) * width))),
  };
}

/** The tags with most bytes at all moments together have colours of their own. */
function tagSteps(moments, tags) {
  const bytes = new Map();
  for (const {runs} of moments) {
    for (const {tag, byteSize, taken} of runs) {
      if (tag !== NO_TAG) bytes.set(tag, (bytes.get(tag) ?? 0) + byteSize * taken);
    }
  }
  const most = [...bytes.keys()].sort((a, b) => bytes.get(b) - bytes.get(a) || a - b).slice(0, PALETTE.length - 1);
  return {
    index: tag => most.indexOf(tag) < 0 ? PALETTE.length - 1 : most.indexOf(tag),
    names: [...most.map(tag => tags[tag]), ...Array(PALETTE.length - 1 - most.length).fill(null), 'others, and what has none'],
  };
}

class MapView {

  constructor(canvas, moments, pools, tags) {
    this.canvas = canvas;
    this.moments = moments;
    this.pools = pools;
    this.steps = sizeSteps(moments);
    this.tags = tagSteps(moments, tags);
    this.streams = [...new Set(pools.map(pool => pool.stream))].sort((a, b) => a - b);
    this.perLine = Math.max(1, Math.ceil(Math.max(...moments.map(moment => moment.reserved)) / LINES));
    this.by = 'size';
  }

  /** What colours stand for. */
  legend() {
    const names = this.by === 'size' ? this.steps.names
        : this.by === 'tag' ? this.tags.names
        : this.by === 'pool' ? this.pools.map(poolName)
        : this.streams.map(stream => 'stream ' + stream);
    return [
      ...names.map((name, i) => ({name, colour: PALETTE[i % PALETTE.length]})).filter(({name}) => name != null),
      {name: 'free', colour: colour('free')},
      {name: 'rest of a page that one slice has for itself', colour: colour('rest')},
    ];
  }

  colourOf(run) {
    if (this.by === 'size') return PALETTE[this.steps.index(run.sizeClass) % PALETTE.length];
    if (this.by === 'tag') return PALETTE[this.tags.index(run.tag)];
    const index = this.by === 'pool' ? run.group.pool : this.streams.indexOf(this.pools[run.group.pool].stream);
    return PALETTE[index % PALETTE.length];
  }

  show(moment) {
    this.moment = moment;
    const scale = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    const ink = this.canvas.getContext('2d');
    ink.scale(scale, scale);
    this.lineHeight = height / LINES;
    this.width = width;
    // Asked for once: a style costs more than a stretch.
    const [back, free, rest, text] = ['back', 'free', 'rest', 'text'].map(colour);
    ink.fillStyle = back;
    ink.fillRect(0, 0, width, height);
    for (const run of moment.runs) {
      this.fill(ink, run.start, run.byteSize, 1, free);
      if (run.sizeClass === REST) this.fill(ink, run.start, run.byteSize, 1, rest);
      if (run.sizeClass >= 0) this.fill(ink, run.start, run.byteSize, Math.max(0.15, run.taken), this.colourOf(run));
      if (run.exact && run.byteSize / this.perLine * width > 4) this.border(ink, run.start, 1, back);
    }
    for (const group of moment.groups) this.border(ink, group.start, 2, text);
  }

  /** Fills a stretch, in each line that it touches, from the foot of the line up. */
  fill(ink, start, byteSize, share, style) {
    ink.fillStyle = style;
    const high = this.lineHeight - LINE_GAP;
    for (let at = start; at < start + byteSize;) {
      const line = Math.floor(at / this.perLine);
      const end = Math.min(start + byteSize, (line + 1) * this.perLine);
      const left = (at - line * this.perLine) / this.perLine * this.width;
      const right = (end - line * this.perLine) / this.perLine * this.width;
      ink.fillRect(left, line * this.lineHeight + high * (1 - share), Math.max(0.5, right - left), high * share);
      at = end;
    }
  }

  border(ink, at, width, style) {
    const line = Math.floor(at / this.perLine);
    ink.fillStyle = style;
    ink.fillRect((at - line * this.perLine) / this.perLine * this.width, line * this.lineHeight, width, this.lineHeight - LINE_GAP);
  }

  /** The run under the pointer, or nothing. */
  runAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const line = Math.floor((event.clientY - box.top) / this.lineHeight);
    const at = (line + (event.clientX - box.left) / this.width) * this.perLine;
    return this.moment.runs.find(run => at >= run.start && at < run.start + run.byteSize);
  }
}
