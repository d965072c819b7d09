/** Bookkeeping on numbers: slices, pages, free space. Nothing here touches memory or a driver. */
@NullMarked
package io.cistern.page;

import org.jspecify.annotations.NullMarked;
