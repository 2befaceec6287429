/** Sets the database of the tests in this process. Each has a file, because the runner accepts only file names. */
export function testOn(DATABASE: 'sqlite' | 'postgres' | 'none'): void {
  Object.assign(globalThis, { DATABASE });
  // Set here and not for the whole process, so that tsx keeps what it compiled for the next run.
  const folder = process.env['MOORAGE_TEST_TMPDIR'];
  if (folder) process.env['TMPDIR'] = folder;
}
