/**
 * Host memory as a device ({@link io.cistern.host.HostStorage}), and the JDK's arenas and
 * allocators on its pools ({@link io.cistern.host.PooledArena}, {@link
 * io.cistern.host.PooledAllocator}).
 *
 * <p>The JVM needs {@code --enable-native-access=io.cistern.ffi,io.cistern.host}, or {@code
 * --enable-native-access=ALL-UNNAMED} when these are on the class path. With the flag no warning is
 * printed.
 */
@NullMarked
package io.cistern.host;

import org.jspecify.annotations.NullMarked;
