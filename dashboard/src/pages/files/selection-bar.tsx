/** The selection and its actions; at the bottom, within reach of the thumb. */
import { Menu, Text } from '@mantine/core'
import { IconCopy, IconFolderSymlink, IconReplace, IconTrash, IconX } from '@tabler/icons-react'
import { useTexts } from '../../language/language.tsx'
import { IconButton, SignButton } from '../../parts/buttons.tsx'
import type { CopyForm } from './copy-forms.ts'
import { CopyItems } from './copy-menu.tsx'
import classes from './files.module.css'
import type { FileAnswer } from './types.ts'
import { actionWords } from './words.ts'

export interface SelectionBarProps {
  chosen: readonly FileAnswer[]
  /** How many of the chosen files are on other pages of the list. */
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
    <section className={classes.bar} data-bar aria-label={w.selection}>
      <IconButton icon={IconX} label={w.clear} size="lg" onClick={onClear} />
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
          <SignButton
            icon={IconCopy}
            label={copy}
            signSize={18}
            className={classes.barButton}
            aria-label={copy}
          />
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
    <SignButton
      icon={Sign}
      label={label}
      signSize={18}
      variant="default"
      className={classes.barButton}
      aria-label={label}
      title={label}
      onClick={onClick}
    />
  )
}
