/** Runs once in each process, before its first test file. */
import 'reflect-metadata';

declare const DATABASE: string;

// The process ends with the runner, also if the runner was killed.
process.once('disconnect', () => process.exit());

// Test files without a database start no app, so they do not load it.
if (DATABASE !== 'none') {
  const [{ watchAnswers }, { validateAnswer }] = await Promise.all([
    import('./app.js'),
    import('./openapi.js'),
  ]);
  watchAnswers(validateAnswer);
}
