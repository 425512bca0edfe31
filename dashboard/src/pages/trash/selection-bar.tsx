/** The bar with the actions on the selection, at the bottom of the window, where a thumb can reach it. */
import { Group, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconTrashX, IconX } from '@tabler/icons-react'
import type { TrashEntryOnWire } from '../../../../src/contract/files/trash.ts'
import { useTexts } from '../../language/language.tsx'
import { type Selection, useSelection } from '../../state/selection.ts'
import { ButtonWithIcon, IconButton } from '../../ui/buttons.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import classes from './trash.module.css'
import type { TrashActions } from './use-trash-actions.ts'
import { words } from './words.ts'

export type TrashSelection = Selection<TrashEntryOnWire>

export const selectedEntryNumbers = (selection: TrashSelection) => selection.getSelected().map(({ nr }) => nr)

export const selectedBytes = (selection: TrashSelection) =>
  selection.getSelected().reduce((sum, { size }) => sum + size, 0)

export interface SelectionBarProps {
  selection: TrashSelection
  actions: TrashActions
  onRemove(): void
}

export function SelectionBar({ selection, actions, onRemove }: SelectionBarProps) {
  const { w, format } = useTexts(words)
  const { size } = useSelection(selection, current => current.state().selectedItems)
  if (size === 0) return null
  return (
    <Stack component="section" gap="xs" className={classes.bar} data-bar aria-label={w.selection}>
      <ErrorNotice error={actions.restoreError} />
      <Group gap="xs">
        <Group gap={4} wrap="nowrap" mr="auto" className={classes.figures}>
          <IconButton icon={IconX} label={w.clearSelection} onClick={selection.clear} />
          <Text size="sm" role="status">
            {w.selected(format.number(size), format.bytes(selectedBytes(selection)))}
          </Text>
        </Group>
        <ButtonWithIcon
          icon={IconTrashX}
          label={w.remove}
          iconSize={18}
          variant="default"
          onClick={onRemove}
        />
        <ButtonWithIcon
          icon={IconArrowBackUp}
          label={w.restore}
          iconSize={18}
          loading={actions.isRestoring}
          onClick={() => actions.restore(selectedEntryNumbers(selection))}
        />
      </Group>
    </Stack>
  )
}
