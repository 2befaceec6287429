/** The choice of a language, in the person's menu. */
import { say } from '../words';
import { chooseLanguage, languages, useLanguage, type Language } from '../words/language';
import { reasonOf } from './failure';
import { tell } from './messages';

export function Languages() {
  const present = useLanguage();
  const choose = (language: Language): void =>
    void chooseLanguage(language).catch((error: unknown) => tell(reasonOf(error)));
  return (
    <div role="group" aria-label={say('app.language')} className="languages">
      {Object.entries(languages).map(([language, { name }]) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === present}
          onClick={() => choose(language as Language)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
