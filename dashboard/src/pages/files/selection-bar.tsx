/** The selection and its actions; at the bottom, within reach of the thumb. */
import { Anchor, Menu, Text } from '@mantine/core'
import { IconCopy, IconDownload, IconFolderSymlink, IconReplace, IconTrash, IconX } from '@tabler/icons-react'
import { useTexts } from '../../language/language.tsx'
import { IconButton, SignButton } from '../../parts/buttons.tsx'
import type { FileMenuActions } from './actions/context-menu.tsx'
import { DownloadItem, ExportItems } from './actions/download-items.tsx'
import { CopyItems } from './copy-menu.tsx'
import classes from './files.module.css'
import { countOf, filesOf, isWhole } from './selection/meant.ts'
import type { SelectionState } from './selection/use-selection.ts'
import type { FileAnswer } from './types.ts'
import { actionWords } from './words.ts'

export interface SelectionBarProps
  extends Pick<FileMenuActions, 'onCopy' | 'onMove' | 'onReplace' | 'onRemove'> {
  state: SelectionState
  /** On this page of the list. */
  listed: readonly FileAnswer[]
  /** On all pages. */
  total: number
}

export function SelectionBar({ state, listed, total, ...on }: SelectionBarProps) {
  const { w } = useTexts(actionWords)
  const { meant } = state
  if (!state.isChoosing) return null
  const files = filesOf(meant)
  const copy = files.length === 1 ? w.copyAddress : w.copyAddresses
  return (
    <section className={classes.bar} data-bar aria-label={w.selection}>
      <IconButton icon={IconX} label={w.clear} size="lg" onClick={state.clear} />
      <Told state={state} listed={listed} total={total} />
      {files.length > 0 && (
        <BarMenu icon={IconCopy} label={copy} main>
          <CopyItems onCopy={form => on.onCopy(files, form)} />
        </BarMenu>
      )}
      <BarMenu icon={IconDownload} label={w.download}>
        <DownloadItem wanted={meant} />
        <Menu.Divider />
        <Menu.Label>{w.exportList}</Menu.Label>
        <ExportItems wanted={meant} />
      </BarMenu>
      <BarButton icon={IconFolderSymlink} label={w.move} onClick={() => on.onMove(meant)} />
      <BarButton icon={IconReplace} label={w.replace} onClick={() => on.onReplace(meant)} />
      <BarButton icon={IconTrash} label={w.remove} onClick={() => on.onRemove(meant)} />
    </section>
  )
}

/** How many, how large; and where the whole page is chosen and there are more, the way to all of them. */
function Told({ state, listed, total }: Pick<SelectionBarProps, 'state' | 'listed' | 'total'>) {
  const { w, format } = useTexts(actionWords)
  const { meant, chosen } = state
  const count = countOf(meant)
  const bytes = filesOf(meant).reduce((sum, { size }) => sum + size, 0)
  const shown = new Set(listed.map(({ id }) => id))
  const elsewhere = isWhole(meant) ? 0 : chosen.filter(({ id }) => !shown.has(id)).length
  return (
    <div className={classes.barText}>
      <Text size="sm" role="status">
        <b>{w.chosen(count, format.number(count))}</b>
        {!isWhole(meant) && ` · ${format.bytes(bytes)}`}
        {elsewhere > 0 && (
          <Text size="xs" c="dimmed" component="span" display="block">
            {w.elsewhere(format.number(elsewhere))}
          </Text>
        )}
      </Text>
      {state.mayChooseWhole && (
        <Anchor component="button" type="button" size="sm" onClick={state.chooseWhole}>
          {w.chooseAll(format.number(total))}
        </Anchor>
      )}
    </div>
  )
}

interface BarButtonProps {
  icon: typeof IconX
  label: string
}

const looksOf = ({ icon, label }: BarButtonProps) => ({
  icon,
  label,
  signSize: 18,
  className: classes.barButton,
  'aria-label': label,
  title: label,
})

function BarMenu({
  main = false,
  children,
  ...button
}: BarButtonProps & { main?: boolean; children: React.ReactNode }) {
  return (
    <Menu position="top" width={220}>
      <Menu.Target>
        <SignButton {...looksOf(button)} {...(!main && { variant: 'default' })} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

function BarButton({ onClick, ...button }: BarButtonProps & { onClick(): void }) {
  return <SignButton {...looksOf(button)} variant="default" onClick={onClick} />
}
