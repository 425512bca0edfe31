/**
 * The section of orphans: stored files without an entry in the database, and entries without a stored file.
 * The search runs on demand, and files without an entry can be removed.
 */
import { Button } from '@mantine/core'
import { IconUnlink } from '@tabler/icons-react'
import type { OrphansAnswer } from '../../../../src/contract/service/maintenance.ts'
import { useTexts } from '../../language/language.tsx'
import { ProgressBar } from '../../ui/charts/progress-bar.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { OrphanLists } from './orphan-lists.tsx'
import { StateLine } from './state-line.tsx'
import { TaskSection } from './task-section.tsx'
import { useOrphans } from './use-orphans.ts'
import { orphanWords } from './words.ts'

export function OrphansSection() {
  const { w, format } = useTexts(orphanWords)
  const { data, error, isFetching, dataUpdatedAt, examinedCount, refetch, cleanUp } = useOrphans()
  return (
    <TaskSection
      icon={IconUnlink}
      title={w.title}
      description={w.description}
      action={
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          {w.look}
        </Button>
      }
      state={data && !isFetching && <SearchOutcome orphans={data} />}
      note={
        data &&
        !isFetching && (
          <>
            {w.lastSearchAt} <RelativeTime timestamp={dataUpdatedAt} />
          </>
        )
      }
    >
      {isFetching && (
        <ProgressBar
          label={w.looking}
          done={0}
          total={null}
          progressText={examinedCount === null ? '' : w.examinedText(format.number(examinedCount))}
        />
      )}
      {!isFetching && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data && !isFetching && <OrphanLists orphans={data} cleanUp={cleanUp} />}
    </TaskSection>
  )
}

function SearchOutcome({ orphans: { gesamt } }: { orphans: OrphansAnswer }) {
  const { w, format } = useTexts(orphanWords)
  const withoutFileCount = gesamt.ohne_datei + gesamt.papierkorb_ohne_datei
  if (gesamt.ohne_eintrag + withoutFileCount === 0) return <StateLine kind="good">{w.nothing}</StateLine>
  return (
    <StateLine kind={withoutFileCount > 0 ? 'bad' : 'warn'}>
      {w.found(format.number(gesamt.ohne_eintrag), format.number(withoutFileCount))}
    </StateLine>
  )
}
