#!/usr/bin/env node
/**
 * The `moorage` program. SQLite, files and DNS look-ups share libuv's thread pool, whose default of
 * four threads is too small. This file is no ES module, because those start the pool while loading.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.env['UV_THREADPOOL_SIZE'] ??= '8';
// The versions are pinned, so the SDK's warning about future Node.js versions is useless.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
// `dist` may lead to another build when a worker starts. All processes of a server have the same one.
process.argv[1] = __filename;
keepBuild();
void import('./main.js');

/** Builds of a checkout are removed when no process uses them. A package has no such folder. */
function keepBuild(): void {
  const users = join(__dirname, '../../in-use');
  try {
    if (existsSync(users)) writeFileSync(join(users, String(process.pid)), '');
  } catch {
    // Another user made the build. The last two builds are kept anyway.
  }
}
