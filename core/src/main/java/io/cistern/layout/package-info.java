/** What a configuration means on one device: sizes rounded, presets expanded, faults refused. */
@NullMarked
package io.cistern.layout;

import org.jspecify.annotations.NullMarked;
