import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './routes';
import { answers } from './service';
import './styles/index.css';
import { speakLanguageOfReader, useLanguage } from './words/language';

/** Another language begins all pages anew. What they know stays. */
const Pages = () => <RouterProvider key={useLanguage()} router={router} />;

await speakLanguageOfReader();
const place = document.getElementById('page');
if (!place) throw new Error('The page has no place for the application.');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={answers}>
      <Pages />
    </QueryClientProvider>
  </StrictMode>,
);
