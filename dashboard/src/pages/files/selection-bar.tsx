/** What is chosen, and what can be done to all of it; at the bottom, within reach of the thumb. */
import { ActionIcon, Button, Menu, Text, Tooltip } from '@mantine/core'
import { IconCopy, IconFolderSymlink, IconReplace, IconTrash, IconX } from '@tabler/icons-react'
import { useTexts } from '../../language/language.tsx'
import type { CopyForm } from './copy-forms.ts'
import { CopyItems } from './copy-menu.tsx'
import classes from './files.module.css'
import type { FileAnswer } from './types.ts'
import { actionWords } from './words.ts'

export interface SelectionBarProps {
  chosen: readonly FileAnswer[]
  /** Of those, how many are on pages that are not shown. */
  elsewhere: number
  onClear(): void
  onCopy(form: CopyForm): void
  onMove(): void
  onReplace(): void
  onRemove(): void
}

export function SelectionBar(props: SelectionBarProps) {
  const { chosen, elsewhere, onClear, onCopy, onMove, onReplace, onRemove } = props
  const { w, format } = useTexts(actionWords)
  if (chosen.length === 0) return null
  const copy = chosen.length === 1 ? w.copyAddress : w.copyAddresses
  const bytes = chosen.reduce((sum, { size }) => sum + size, 0)
  return (
    <section className={classes.bar} aria-label={w.selection}>
      <Tooltip label={w.clear}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={w.clear} onClick={onClear}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Text size="sm" className={classes.barText} role="status">
        <b>{w.chosen(chosen.length, format.number(chosen.length))}</b> · {format.bytes(bytes)}
        {elsewhere > 0 && (
          <Text size="xs" c="dimmed" component="span" display="block">
            {w.elsewhere(format.number(elsewhere))}
          </Text>
        )}
      </Text>
      <Menu position="top" width={200}>
        <Menu.Target>
          <Button
            leftSection={<IconCopy size={18} aria-hidden />}
            className={classes.barButton}
            aria-label={copy}
          >
            {copy}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <CopyItems onCopy={onCopy} />
        </Menu.Dropdown>
      </Menu>
      <BarButton icon={IconFolderSymlink} label={w.move} onClick={onMove} />
      <BarButton icon={IconReplace} label={w.replace} onClick={onReplace} />
      <BarButton icon={IconTrash} label={w.remove} onClick={onRemove} />
    </section>
  )
}

function BarButton({ icon: Sign, label, onClick }: { icon: typeof IconX; label: string; onClick(): void }) {
  return (
    <Button
      variant="default"
      className={classes.barButton}
      leftSection={<Sign size={18} aria-hidden />}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}
