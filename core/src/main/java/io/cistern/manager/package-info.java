/** The door: a layout at work on a storage, and the handles it gives out. */
@NullMarked
package io.cistern.manager;

import org.jspecify.annotations.NullMarked;
