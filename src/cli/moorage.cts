#!/usr/bin/env node
/** The `moorage` program. SQLite, files and name look-ups share libuv's threads, and four are few; an ES module would start them before it could say so. */
process.env['UV_THREADPOOL_SIZE'] ??= '8';
void import('./main.js');
