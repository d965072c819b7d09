package io.cistern.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A native library and its functions.
 *
 * <p>A library stays loaded until the JVM ends, so handles on its functions never dangle.
 * Immutable; safe for many threads. Looking a function up makes a new handle each time: look it up
 * once.
 */
public final class NativeLibrary {

  private final String name;
  private final SymbolLookup symbols;

  private NativeLibrary(String name, SymbolLookup symbols) {
    this.name = name;
    this.symbols = symbols;
  }

  /** The C library and what else the operating system loads into every program. */
  public static NativeLibrary system() {
    return new NativeLibrary("the C library", Linker.nativeLinker().defaultLookup());
  }

  /**
   * Loads a library.
   *
   * @param name what the system's loader finds it by, such as {@code libcuda.so.1}, or its path
   * @throws NativeLookupException if there is no such library, or it can't be loaded
   * @throws IllegalCallerException if this module has no native access and that is an error
   */
  @SuppressWarnings("restricted") // This module is where the devices load libraries.
  public static NativeLibrary open(String name) {
    try {
      return new NativeLibrary(name, SymbolLookup.libraryLookup(name, Arena.global()));
    } catch (IllegalArgumentException e) {
      throw NativeLookupException.noLibrary(name, e);
    }
  }

  /**
   * A function that an older or newer version of the library may lack.
   *
   * @param function the function's exported name
   * @param type its C types
   * @param options how it is called, such as {@link Errno#capture}
   * @return a handle on it; empty if the library has no such function
   * @throws IllegalCallerException if this module has no native access and that is an error
   */
  @SuppressWarnings("restricted") // This module is where the devices make downcalls.
  public Optional<MethodHandle> find(
      String function, FunctionDescriptor type, Linker.Option... options) {
    return symbols
        .find(function)
        .map(symbol -> Linker.nativeLinker().downcallHandle(symbol, type, options));
  }

  /**
   * A function that every version of the library has.
   *
   * @param function the function's exported name
   * @param type its C types
   * @param options how it is called, such as {@link Errno#capture}
   * @return a handle on it
   * @throws NativeLookupException if the library has no such function
   * @throws IllegalCallerException if this module has no native access and that is an error
   */
  public MethodHandle require(String function, FunctionDescriptor type, Linker.Option... options) {
    return find(function, type, options)
        .orElseThrow(() -> NativeLookupException.noFunction(name, function));
  }

  /** The name that it was loaded by, for messages. */
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }
}
