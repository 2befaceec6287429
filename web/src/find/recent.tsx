/** The files that the person added, wherever they are. */
import { useMe } from '../shell/me';
import { Heading } from '../shell/page';
import { say } from '../words';
import { FoundFiles } from './found-files';
import { usePaged } from './paged';
import { loadProjects } from './projects';

/** More would be no choice. */
const PROJECTS = 200;

export function Recent() {
  const me = useMe().data?.viewer;
  const projects = usePaged(['projects', 'choice'], loadProjects('', PROJECTS));
  return (
    <>
      <Heading title={say('app.recent')} facts={<span>{say('mine.says')}</span>} />
      <div className="wrap">
        {me && (
          <FoundFiles
            title={say('mine.added')}
            always={{ person: me.databaseId }}
            projects={projects.rows}
            empty={say('home.noRecent')}
          />
        )}
      </div>
    </>
  );
}
