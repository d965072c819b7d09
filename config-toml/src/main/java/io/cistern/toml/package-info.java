/**
 * Layout files: what they hold, reading them with errors that name the place, writing them.
 *
 * <p>Jackson reads the values. Its trees know no places, so a scanner walks the same text first and
 * notes where each key and each value begins; a {@code Document} is both together.
 */
@NullMarked
package io.cistern.toml;

import org.jspecify.annotations.NullMarked;
