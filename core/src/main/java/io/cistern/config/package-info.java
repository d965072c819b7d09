/** What is wanted: pool entries and lists of them, as plain values that no device has seen yet. */
@NullMarked
package io.cistern.config;

import org.jspecify.annotations.NullMarked;
