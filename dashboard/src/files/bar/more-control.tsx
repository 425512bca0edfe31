/** The menu of less frequent options: page size and infinite scrolling. */
import { Stack, Switch } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { PageSizeField } from '../../ui/lists/page-size.tsx'
import { useFilesPage } from '../files-context.ts'
import { words } from '../words.ts'
import { ToolbarButton } from './tool.tsx'
import { useListAddress } from './use-list-address.ts'

export function MoreControl() {
  const w = useWords(words)
  const { viewOptions, setViewOptions } = useFilesPage()
  const { search, change } = useListAddress()
  return (
    <ToolbarButton icon={IconAdjustmentsHorizontal} label={w.moreTools}>
      {() => (
        <Stack gap="sm">
          <Switch
            label={w.infiniteScrolling}
            description={w.onwardHint}
            checked={viewOptions.hasInfiniteScrolling}
            onChange={event => setViewOptions({ hasInfiniteScrolling: event.currentTarget.checked })}
          />
          <PageSizeField label={w.perPage} value={search.anzahl} onChange={anzahl => change({ anzahl })} />
        </Stack>
      )}
    </ToolbarButton>
  )
}
