#!/usr/bin/env node
/** The `moorage` program. SQLite, files and name look-ups share libuv's threads, and four are few; an ES module would start them before it could say so. */
import { setFlagsFromString } from 'node:v8';

process.env['UV_THREADPOOL_SIZE'] ??= '8';
// The versions are pinned; a word about future ones at every start tells the operator nothing.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
// Left alone, the heap grows to a multiple of what lives in it before old garbage is collected: lists of thousands of rows would keep hundreds of MiB.
setFlagsFromString('--heap-growing-percent=30');
void import('./main.js');
