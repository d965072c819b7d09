package io.cistern.stress;

import io.cistern.manager.Capture;

/** A capture that any thread may end. */
record Running(Target target, Capture capture) {}
