/** The waist to a device: blocks are allocated and freed here, and nowhere else. */
@NullMarked
package io.cistern.storage;

import org.jspecify.annotations.NullMarked;
