/**
 * The history page: a tab for the files, a tab for the administration (only for operators), and a button that
 * exports the shown tab as CSV.
 */
import { Tabs, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { CSV_ROWS_MAX } from '../../../../src/contract/files/history-details.ts'
import { addressOf } from '../../api/client.ts'
import { useTexts } from '../../language/language.tsx'
import { hasMinimumRole } from '../../state/rights.ts'
import { useSearchState } from '../../state/use-search-state.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { AdministrationTab } from './administration-tab.tsx'
import { FilesTab } from './files-tab.tsx'
import { filterOf, HISTORY_PARAMETERS, NO_FILTER } from './search.ts'
import { words } from './words.ts'

export default function HistoryPage() {
  const { w, format } = useTexts(words)
  const [search, setSearch] = useSearchState(HISTORY_PARAMETERS)
  const isAdministration = search.ansicht === 'verwaltung' && hasMinimumRole('betreiber')
  const query = isAdministration ? { was: 'verwaltung' } : filterOf(search)
  return (
    <>
      <PageHeader title={w.history} description={w.description}>
        <Tooltip label={w.csvHint(format.number(CSV_ROWS_MAX))} multiline maw={280}>
          <LinkButton icon={IconDownload} label={w.csv} href={addressOf('verlauf/export', query)} download />
        </Tooltip>
      </PageHeader>
      <Tabs
        value={isAdministration ? 'verwaltung' : 'dateien'}
        keepMounted={false}
        onChange={value =>
          setSearch({ ...NO_FILTER, ansicht: value === 'verwaltung' ? 'verwaltung' : 'dateien' })
        }
      >
        {hasMinimumRole('betreiber') && (
          <Tabs.List mb="md">
            <Tabs.Tab value="dateien">{w.files}</Tabs.Tab>
            <Tabs.Tab value="verwaltung">{w.administration}</Tabs.Tab>
          </Tabs.List>
        )}
        <Tabs.Panel value="dateien">
          <FilesTab search={search} setSearch={setSearch} />
        </Tabs.Panel>
        <Tabs.Panel value="verwaltung">
          <AdministrationTab search={search} setSearch={setSearch} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
