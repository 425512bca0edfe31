/** What can be done with the selection; at the lower edge, where the thumb is. */
import { Group, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconTrashX, IconX } from '@tabler/icons-react'
import { useTexts } from '../../language/language.tsx'
import { IconButton, SignButton } from '../../parts/buttons.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { bytesOf, type Selection } from './selection.ts'
import classes from './trash.module.css'
import { words } from './words.ts'

export interface SelectionBarProps {
  selection: Selection
  isRestoring: boolean
  error: Error | null
  onRestore(): void
  onRemove(): void
  onClear(): void
}

export function SelectionBar(props: SelectionBarProps) {
  const { selection, isRestoring, error, onRestore, onRemove, onClear } = props
  const { w, format } = useTexts(words)
  if (selection.size === 0) return null
  return (
    <Stack component="section" gap="xs" className={classes.bar} data-bar aria-label={w.selectionBar}>
      <ErrorNotice error={error} />
      <Group gap="xs">
        <Group gap={4} wrap="nowrap" mr="auto" className={classes.figures}>
          <IconButton icon={IconX} label={w.clearSelection} onClick={onClear} />
          <Text size="sm" role="status">
            {w.selected(format.number(selection.size), format.bytes(bytesOf(selection)))}
          </Text>
        </Group>
        <SignButton icon={IconTrashX} label={w.remove} signSize={18} variant="default" onClick={onRemove} />
        <SignButton
          icon={IconArrowBackUp}
          label={w.restore}
          signSize={18}
          loading={isRestoring}
          onClick={onRestore}
        />
      </Group>
    </Stack>
  )
}
