/**
 * The page of statistics of the library or of a folder: retrievals by day, figures of subfolders, the largest
 * files, and the least recently retrieved ones. For the library, it also shows storage by day and figures of
 * tokens.
 */

import { Anchor, Breadcrumbs, Skeleton, Stack } from '@mantine/core'
import { Link } from 'wouter'
import type { StatisticsAnswer } from '../../../../src/contract/files/statistics.ts'
import { STATISTICS_DAYS } from '../../../../src/contract/values/input-limits.ts'
import { useGet } from '../../api/use-get.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { ancestorsAndSelf, nameOf } from '../../state/paths.ts'
import { textParameter, useSearchState } from '../../state/use-search-state.ts'
import { DayChart } from '../../ui/charts/day-chart.tsx'
import { topFigureOfBytes } from '../../ui/charts/day-scale.ts'
import { RetrievalChart } from '../../ui/charts/retrieval-chart.tsx'
import { ListedFiles } from '../../ui/files/listed-files.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { FiguresTable } from './figures-table.tsx'
import classes from './statistics.module.css'
import { words } from './words.ts'

const STATISTICS_PARAMETERS = { ordner: textParameter('') }
const MAX_LISTED_FILES = 10

const statisticsAddress = (folder: string) =>
  folder === '' ? PAGES.statistics : `${PAGES.statistics}?ordner=${encodeURIComponent(folder)}`

export default function StatisticsPage() {
  const w = useWords(words)
  const [{ ordner }] = useSearchState(STATISTICS_PARAMETERS)
  const statisticsQuery = useGet('statistik', { query: { ordner }, keepPrevious: true })
  return (
    <>
      <PageHeader title={w.statistics} description={w.description(STATISTICS_DAYS)} />
      <FolderBreadcrumbs folder={ordner} />
      <QueryResult query={statisticsQuery} skeleton={<Skeleton height={288} />}>
        {data => <StatisticsContent {...data} />}
      </QueryResult>
    </>
  )
}

function FolderBreadcrumbs({ folder }: { folder: string }) {
  const w = useWords(words)
  return (
    <Breadcrumbs
      component="nav"
      aria-label={w.folder}
      separator="/"
      separatorMargin={4}
      mb="md"
      className={classes.crumbs}
    >
      {['', ...ancestorsAndSelf(folder)].map(path => (
        <Anchor
          key={path}
          component={Link}
          href={statisticsAddress(path)}
          aria-current={path === folder ? 'page' : undefined}
        >
          {path === '' ? w.top : nameOf(path)}
        </Anchor>
      ))}
    </Breadcrumbs>
  )
}

function StatisticsContent(data: StatisticsAnswer) {
  const w = useWords(words)
  return (
    <Stack gap="md">
      <Panel>
        <RetrievalChart days={data.abrufe.tage} />
      </Panel>
      {data.speicher && <StorageChart {...data} speicher={data.speicher} />}
      <div className={classes.pair}>
        {(data.unterordner.length > 0 || data.tokens) && (
          <FiguresTable
            title={w.folders}
            nameHeading={w.folders}
            rows={data.unterordner}
            emptyText={w.foldersNone}
            rowKey={({ pfad }) => pfad}
            renderName={({ name, pfad }) => (
              <Anchor component={Link} href={statisticsAddress(pfad)} inherit>
                {name}
              </Anchor>
            )}
          />
        )}
        {data.tokens && (
          <FiguresTable
            title={w.tokens}
            nameHeading={w.token}
            rows={data.tokens}
            emptyText={w.tokensNone}
            rowKey={({ id }) => id ?? ''}
            renderName={({ name }) => name ?? w.noToken}
          />
        )}
      </div>
      <NotableFiles {...data} />
    </Stack>
  )
}

function StorageChart({
  speicher,
  bytes,
  dateien,
}: StatisticsAnswer & { speicher: NonNullable<StatisticsAnswer['speicher']> }) {
  const { w, format } = useTexts(words)
  return (
    <Panel>
      <DayChart
        title={w.storage}
        days={speicher.map(({ tag, bytes: value }) => ({ tag, value }))}
        summary={w.storageNow(format.bytes(bytes), format.number(dateien))}
        describe={format.bytes}
        formatFigure={format.bytes}
        figureHeading={w.size}
        topFigureOf={topFigureOfBytes}
      />
    </Panel>
  )
}

function NotableFiles({ ordner, groesste, lange_nicht_abgerufen }: StatisticsAnswer) {
  const { w, format } = useTexts(words)
  const now = useNow()
  return (
    <div className={classes.pair}>
      <ListedFiles
        title={w.largest}
        queryForAll={{ ordner, sortierung: 'size', richtung: 'ab' }}
        files={groesste}
        maxShown={MAX_LISTED_FILES}
        emptyText={w.none}
        renderDetail={({ size }) => format.bytes(size)}
      />
      <ListedFiles
        title={w.stalest}
        queryForAll={{ ordner, sortierung: 'zuletzt_abgerufen', richtung: 'auf' }}
        files={lange_nicht_abgerufen}
        maxShown={MAX_LISTED_FILES}
        emptyText={w.none}
        renderDetail={({ zuletzt_abgerufen, updated_at }) =>
          zuletzt_abgerufen === null
            ? w.never(format.relative(updated_at, now))
            : w.lastRetrieved(format.relative(zuletzt_abgerufen, now))
        }
      />
    </div>
  )
}
