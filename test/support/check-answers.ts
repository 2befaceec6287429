/** Checks every answer of every app against the OpenAPI description. */
import { watchAnswers } from './app.js';
import { validateAnswer } from './openapi.js';

watchAnswers(validateAnswer);
