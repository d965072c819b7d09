/** The commands of the command line, and how they show what they found. */
@NullMarked
package io.cistern.cli;

import org.jspecify.annotations.NullMarked;
