/** A question before something that cannot be taken back. */
import { useState } from 'react';
import { Dialog } from '../shell/dialog';
import { reasonOf } from '../shell/failure';
import { say } from '../words';

interface Question {
  title: string;
  text: string;
  /** The word on the button that does it. */
  act: string;
  /** What one has to type before, so that nobody does it by accident. */
  typed?: { label: string; text: string };
  run: () => Promise<void>;
}

/** @returns a function that asks, and the question while it is asked */
export function useQuestion() {
  const [question, setQuestion] = useState<Question>();
  return {
    ask: setQuestion,
    asked: question && <Confirm question={question} onClose={() => setQuestion(undefined)} />,
  };
}

function Confirm({ question, onClose }: { question: Question; onClose: () => void }) {
  const [wrong, setWrong] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const [entered, setEntered] = useState('');
  const { typed } = question;
  const isAllowed = !isRunning && (!typed || entered.trim() === typed.text);
  async function run(): Promise<void> {
    setRunning(true);
    try {
      await question.run();
      onClose();
    } catch (error) {
      setWrong(reasonOf(error));
      setRunning(false);
    }
  }
  return (
    <Dialog label={question.title} className="small" onClose={onClose}>
      <div className="admin-form">
        <h2>{question.title}</h2>
        <p>{question.text}</p>
        {typed && (
          <label className="field">
            {typed.label}
            <input
              dir="auto"
              autoComplete="off"
              value={entered}
              onChange={(event) => setEntered(event.target.value)}
            />
          </label>
        )}
        {wrong && (
          <p className="note bad" role="alert">
            {wrong}
          </p>
        )}
        <div className="row">
          <button
            type="button"
            className="button main"
            aria-disabled={!isAllowed}
            onClick={() => isAllowed && void run()}
          >
            {question.act}
          </button>
          <button type="button" className="button" autoFocus onClick={onClose}>
            {say('app.cancel')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
