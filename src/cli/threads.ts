/** SQLite, files and name look-ups share libuv's threads; four are few. Must be set before the first of them starts. */
process.env['UV_THREADPOOL_SIZE'] ??= '8';
