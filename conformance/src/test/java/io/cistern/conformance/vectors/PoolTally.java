package io.cistern.conformance.vectors;

/** A pool's driver calls and what it held. */
final class PoolTally {
  long reserved;
  long allocations;
  long frees;
  long pages;
  long pagesPeak;

  void grow(long bytes, long blocks, long calls) {
    reserved += bytes;
    pages += blocks;
    allocations += calls;
    pagesPeak = Math.max(pagesPeak, pages);
  }

  void shrink(long bytes, long blocks) {
    reserved -= bytes;
    pages -= blocks;
    frees += blocks;
  }
}
