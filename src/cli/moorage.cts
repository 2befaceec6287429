#!/usr/bin/env node
/** The `moorage` program. SQLite, files and name look-ups share libuv's threads, and four are few; an ES module would start them before it could say so. */
process.env['UV_THREADPOOL_SIZE'] ??= '8';
// The versions are pinned; a word about future ones at every start tells the operator nothing.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
void import('./main.js');
