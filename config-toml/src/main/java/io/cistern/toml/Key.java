package io.cistern.toml;

/** The keys of a layout file, as the contract names the fields. */
final class Key {
  static final String PERSISTENT = "persistent";
  static final String POOLS = "pools";
  static final String TYPE = "type";
  static final String PAGE_SIZE = "page_size";
  static final String MAX_SLICE_SIZE = "max_slice_size";
  static final String MAX_POOL_SIZE = "max_pool_size";
  static final String MAX_ALLOC_SIZE = "max_alloc_size";
  static final String DEALLOC_PERIOD = "dealloc_period";
  static final String RECLAIM_AT = "reclaim_at";

  private Key() {}
}
