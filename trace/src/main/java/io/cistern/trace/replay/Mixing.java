package io.cistern.trace.replay;

/** A bijection that makes neighbours differ in all bytes: the finisher of SplitMix64. */
final class Mixing {

  private Mixing() {}

  static long mix(long number) {
    long mixed = (number + 1) * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
