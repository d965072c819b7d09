/** Races of two calls each, run by jcstress until every order of them has happened. */
@NullMarked
package io.cistern.stress.races;

import org.jspecify.annotations.NullMarked;
