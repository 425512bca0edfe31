/** One entry of the history of files, as a sentence. */
import {
  IconArrowBackUp,
  IconFolderSymlink,
  IconPencil,
  IconRefresh,
  IconTrash,
  IconTrashX,
  IconUpload,
} from '@tabler/icons-react'
import { EARLIER_VERSION_DETAIL } from '../../../../src/contract/files/history-details.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { useFormat, useWords } from '../../language/language.tsx'
import { useHistoryNote } from '../../ui/history-note.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import classes from './history.module.css'
import { Actor, FilePath, SentenceLine } from './sentence-line.tsx'
import { fileSentences } from './words.ts'

export type HistoryEntry = GetRoutes['verlauf']['answer']['eintraege'][number]

export const ENTRY_ICONS = {
  hochgeladen: IconUpload,
  ueberschrieben: IconRefresh,
  umbenannt: IconPencil,
  verschoben: IconFolderSymlink,
  geloescht: IconTrash,
  wiederhergestellt: IconArrowBackUp,
  entfernt: IconTrashX,
} as const satisfies Record<HistoryEntry['was'], unknown>

/**
 * Kinds of entries after which there is no file at the path any more, so that the path is not a link. If only
 * an earlier version was removed, the file remains and the path is a link.
 */
const KINDS_WITHOUT_FILE: ReadonlySet<HistoryEntry['was']> = new Set(['geloescht', 'entfernt'] as const)

export function EntryLine({
  entry: { zeit, was: entryKind, pfad, wer, bytes, einzelheiten },
}: {
  entry: HistoryEntry
}) {
  const format = useFormat()
  const translateDetails = useHistoryNote()
  const template = useWords(fileSentences)[entryKind]
  const EntryIcon = ENTRY_ICONS[entryKind]
  return (
    <>
      <EntryIcon size={18} stroke={1.6} className={classes.sign} aria-hidden />
      <SentenceLine
        template={template}
        values={{
          wer: <Actor wer={wer} />,
          pfad: (
            <FilePath
              path={pfad}
              isLinked={!KINDS_WITHOUT_FILE.has(entryKind) || einzelheiten === EARLIER_VERSION_DETAIL}
            />
          ),
          vorher: <FilePath path={einzelheiten ?? '?'} />,
          groesse: format.bytes(bytes),
        }}
        note={translateDetails(einzelheiten)}
      />
      <span className={classes.when}>
        <RelativeTime timestamp={zeit} />
      </span>
    </>
  )
}
