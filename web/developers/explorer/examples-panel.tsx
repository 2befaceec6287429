/** The panel with the list of examples. */
import { useEditorContext } from '@graphiql/react';
import { flushSync } from 'react-dom';
import { examples, type Example } from './examples.js';

function ExamplesPanel() {
  const { addTab, queryEditor, variableEditor, responseEditor } = useEditorContext({
    nonNull: true,
  });
  // The editors are loaded one by one.
  const isReady = queryEditor !== null && variableEditor !== null && responseEditor !== null;
  const open = ({ query, variables }: Example) => {
    // The editors must belong to the new tab before they get a text.
    flushSync(addTab);
    queryEditor?.setValue(query);
    variableEditor?.setValue(variables ? JSON.stringify(variables, null, 2) : '');
    queryEditor?.focus();
  };
  return (
    <section aria-labelledby="examples-title">
      <h2 id="examples-title" className="examples-title">
        Examples
      </h2>
      <p>Each one opens in a new tab.</p>
      <ul className="examples">
        {examples.map((example) => (
          <li key={example.title}>
            <button type="button" disabled={!isReady} onClick={() => open(example)}>
              <b>{example.title}</b>
              <span>{example.note}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Below this width, the panel would leave too little room for the editor. */
const ROOM_FOR_PANEL = 900;

/**
 * Opens the panel for somebody who is here for the first time. GraphiQL opens it only by its
 * button, in which this icon is: its property `visiblePlugin` leaves the panel hidden.
 */
function openAtFirstVisit(icon: SVGSVGElement | null) {
  if (!isFirstVisit || window.innerWidth < ROOM_FOR_PANEL) return;
  isFirstVisit = false;
  icon?.closest('button')?.click();
}
let isFirstVisit = localStorage.getItem('graphiql:tabState') === null;

function ExamplesIcon() {
  return (
    <svg
      ref={openAtFirstVisit}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      <path d="M4 6h2M4 12h2M4 18h2M10 6h10M10 12h10M10 18h10" strokeLinecap="round" />
    </svg>
  );
}

export const examplesPlugin = {
  title: 'Examples',
  icon: ExamplesIcon,
  content: ExamplesPanel,
};
