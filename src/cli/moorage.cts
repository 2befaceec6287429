#!/usr/bin/env node
/**
 * The `moorage` program. SQLite, files and DNS look-ups share libuv's thread pool, whose default of
 * four threads is too small. This file is no ES module, because those start the pool while loading.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '8';
// The versions are pinned, so the SDK's warning about future Node.js versions is useless.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
void import('./main.js');
