/** Starts the GraphQL explorer in its page (`src/pages/explorer.ts`). */
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import './explorer.css';
import { examplesPlugin } from './examples-panel.js';
import { firstQuery } from './examples.js';
import { passNonce } from './nonce.js';
import { ask } from './requests.js';
import { storageWithoutHeaders } from './storage.js';

// They must be the same objects at each rendering: new ones would close the panel.
const plugins = [examplesPlugin];
const firstTabs = [{ query: firstQuery }];

function Explorer({ signedIn }: { signedIn: boolean }) {
  return (
    <GraphiQL
      fetcher={ask}
      plugins={plugins}
      defaultTabs={firstTabs}
      defaultQuery=""
      defaultEditorToolsVisibility="variables"
      // The session cookie goes along by itself. Other visitors can send an API key.
      isHeadersEditorEnabled={!signedIn}
      shouldPersistHeaders={false}
      storage={storageWithoutHeaders}
      forcedTheme="system"
    >
      {/* The bar above has the name of the product. */}
      <GraphiQL.Logo>
        <></>
      </GraphiQL.Logo>
    </GraphiQL>
  );
}

passNonce();
const root = document.getElementById('explorer');
if (root) createRoot(root).render(<Explorer signedIn={root.dataset['signedIn'] === 'true'} />);
