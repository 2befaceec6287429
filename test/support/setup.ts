/** Runs once in each process, before its first test file. */
import 'reflect-metadata';

declare const DATABASE: string;

// At the end, and where the runner was stopped in the middle.
process.once('disconnect', () => process.exit());

// Files without a database start no app, so they need not load one.
if (DATABASE !== 'none') {
  const [{ watchAnswers }, { validateAnswer }] = await Promise.all([
    import('./app.js'),
    import('./openapi.js'),
  ]);
  watchAnswers(validateAnswer);
}
