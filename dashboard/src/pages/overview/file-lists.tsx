/**
 * The newest, the most retrieved and the never retrieved files: a few of each, with a link to the list of all
 * files, sorted so that these come first.
 */
import type { OverviewAnswer } from '../../../../src/contract/files/overview.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { ListedFiles } from '../../ui/files/listed-files.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { words as sharedWords } from '../../ui/words.ts'
import classes from './overview.module.css'
import { words } from './words.ts'

type FileListsProps = Pick<OverviewAnswer, 'neueste' | 'meist_abgerufen' | 'nie_abgerufen'>

export function FileLists({ neueste, meist_abgerufen, nie_abgerufen }: FileListsProps) {
  const { w, format } = useTexts(words)
  const { retrieved } = useWords(sharedWords)
  const neverRetrievedCount = nie_abgerufen.anzahl
  return (
    <div className={classes.lists}>
      <ListedFiles
        title={w.newest}
        queryForAll={{ sortierung: 'updated_at', richtung: 'ab' }}
        files={neueste}
        renderDetail={file => <RelativeTime timestamp={file.updated_at} />}
      />
      <ListedFiles
        title={w.most}
        queryForAll={{ sortierung: 'abrufe', richtung: 'ab' }}
        files={meist_abgerufen}
        emptyText={w.mostEmpty}
        renderDetail={({ abrufe }) => retrieved(abrufe, format.number(abrufe))}
      />
      <ListedFiles
        title={w.never}
        {...(neverRetrievedCount > 0 && { countText: format.number(neverRetrievedCount) })}
        queryForAll={{ sortierung: 'abrufe', richtung: 'auf' }}
        files={nie_abgerufen.dateien}
        emptyText={w.neverEmpty}
        renderDetail={({ size, updated_at }) => (
          <>
            {format.bytes(size)} · <RelativeTime timestamp={updated_at} />
          </>
        )}
      />
    </div>
  )
}
