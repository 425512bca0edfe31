/** The menu for the view (rows, squares or list), the size of the cards, and whether rows show names. */
import { Radio, Stack, Switch, Text } from '@mantine/core'
import { IconLayoutDashboard, IconLayoutGrid, IconList } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { useFilesPage } from '../files-context.ts'
import { CARD_WIDTH_RANGE, VIEWS, type View } from '../view-options.ts'
import { words } from '../words.ts'
import classes from './bar.module.css'
import { ToolbarButton } from './tool.tsx'

const VIEW_ICONS = { rows: IconLayoutDashboard, grid: IconLayoutGrid, list: IconList } as const

export function ViewControl() {
  const w = useWords(words)
  const { viewOptions, setViewOptions } = useFilesPage()
  const { view, cardWidth, showsNames } = viewOptions
  return (
    <ToolbarButton icon={VIEW_ICONS[view]} label={w.view} value={w[view]}>
      {() => (
        <Stack gap="sm">
          <Radio.Group
            aria-label={w.view}
            value={view}
            onChange={value => setViewOptions({ view: value as View })}
          >
            <Stack gap="xs">
              {VIEWS.map(viewName => (
                <Radio key={viewName} value={viewName} label={w[viewName]} />
              ))}
            </Stack>
          </Radio.Group>
          {view !== 'list' && (
            <label className={classes.size}>
              <Text size="sm">{w.previewSize}</Text>
              <input
                type="range"
                {...CARD_WIDTH_RANGE}
                value={cardWidth}
                onChange={event => setViewOptions({ cardWidth: Number(event.currentTarget.value) })}
              />
            </label>
          )}
          {view === 'rows' && (
            <Switch
              label={w.names}
              checked={showsNames}
              onChange={event => setViewOptions({ showsNames: event.currentTarget.checked })}
            />
          )}
        </Stack>
      )}
    </ToolbarButton>
  )
}
