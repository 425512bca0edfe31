/** The menu for the sort order and the direction of the list. */
import { Radio, Stack } from '@mantine/core'
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { SORT_ORDERS, type SortOrder } from '../../../../src/contract/files/choices.ts'
import { useWords } from '../../language/language.tsx'
import { defaultDirection } from '../listing/search.ts'
import { words } from '../words.ts'
import { ToolbarButton } from './tool.tsx'
import { useListAddress } from './use-list-address.ts'

export function SortControl() {
  const w = useWords(words)
  const { search, change } = useListAddress()
  const { sortierung, richtung } = search
  return (
    <ToolbarButton
      icon={richtung === 'auf' ? IconSortAscending : IconSortDescending}
      label={w.sort}
      value={w[sortierung]}
    >
      {() => (
        <Stack gap="md">
          <Radio.Group
            aria-label={w.sort}
            value={sortierung}
            onChange={value => {
              const order = value as SortOrder
              change({ sortierung: order, richtung: defaultDirection(order) })
            }}
          >
            <Stack gap="xs">
              {SORT_ORDERS.map(order => (
                <Radio key={order} value={order} label={w[order]} />
              ))}
            </Stack>
          </Radio.Group>
          <Radio.Group
            aria-label={w.direction}
            value={richtung}
            onChange={value => change({ richtung: value === 'auf' ? 'auf' : 'ab' })}
          >
            <Stack gap="xs">
              <Radio value="auf" label={w.ascending} />
              <Radio value="ab" label={w.descending} />
            </Stack>
          </Radio.Group>
        </Stack>
      )}
    </ToolbarButton>
  )
}
