/**
 * The header of the viewer: name and position of the file, and its commands. The most used ones are icons; a
 * menu has all that apply to the file, except the one that opens the viewer.
 */
import { ActionIcon, Box, Menu, Tooltip } from '@mantine/core'
import {
  IconChevronDown,
  IconDotsVertical,
  IconInfoCircle,
  IconSquare,
  IconSquareCheck,
  IconX,
} from '@tabler/icons-react'
import { useTexts, useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { hasMinimumRole } from '../../state/rights.ts'
import { useSelection } from '../../state/selection.ts'
import { IconButton } from '../../ui/buttons.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useContentSources } from '../../ui/files/content.ts'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { CommandEntries, useCommandLabel, VariantEntries } from '../commands/command-menu.tsx'
import { appliesTo, COMMAND_LIST, COMMANDS, type Command, type ViewerButton } from '../commands/commands.tsx'
import { useFilesPage } from '../files-context.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'
import classes from './viewer.module.css'
import { words } from './words.ts'

export function ViewerHeader({ showsInfo, onToggleInfo }: { showsInfo: boolean; onToggleInfo(): void }) {
  const { viewer } = useFilesPage()
  const { w, format } = useTexts(words)
  const { file } = viewer.openedFile
  const { position, total } = viewer.counter ?? {}
  return (
    <header className={classes.head}>
      <div className={classes.title}>
        <h2 className={classes.name} title={file?.path}>
          {file && <MiddleTruncatedText>{nameOf(file.path)}</MiddleTruncatedText>}
        </h2>
        <span className={classes.counter}>
          {position !== undefined &&
            total !== undefined &&
            w.ofTotal(format.number(position), format.number(total))}
        </span>
      </div>
      {file && (
        <>
          {hasMinimumRole('redaktion') && <SelectTool file={file} />}
          <Tools file={file} />
          <IconButton
            icon={IconInfoCircle}
            label={w.facts}
            aria-pressed={showsInfo}
            variant={showsInfo ? 'light' : 'subtle'}
            onClick={onToggleInfo}
          />
          <Menu position="bottom-end" width={240} withinPortal={false}>
            <Menu.Target>
              <IconButton icon={IconDotsVertical} label={w.more} />
            </Menu.Target>
            <Menu.Dropdown>
              <CommandEntries target={[file]} excludedCommand={COMMANDS.preview} />
            </Menu.Dropdown>
          </Menu>
        </>
      )}
      <IconButton icon={IconX} label={w.close} onClick={viewer.close} />
    </header>
  )
}

/**
 * A button that selects the file in the list behind the viewer, or deselects it, so that several files can be
 * moved or copied together there.
 */
function SelectTool({ file }: { file: FileAnswer }) {
  const w = useWords(words)
  const { selection } = useFilesPage()
  const isSelected = useSelection(selection, current => current.isSelected(file.id))
  return (
    <Box visibleFrom="sm">
      <IconButton
        icon={isSelected ? IconSquareCheck : IconSquare}
        label={w.select}
        aria-pressed={isSelected}
        variant={isSelected ? 'light' : 'subtle'}
        onClick={() => selection.toggle(file.id)}
      />
    </Box>
  )
}

const TOOL_COMMANDS = COMMAND_LIST.filter(({ inViewer }) => inViewer !== undefined)

/** The most used commands; on a phone only the first one, since the menu has the others. */
function Tools({ file }: { file: FileAnswer }) {
  return TOOL_COMMANDS.filter(command => appliesTo(command, [file])).map((command, index) => (
    <Box key={command.icon.displayName} className={classes.tool} visibleFrom={index === 0 ? '' : 'sm'}>
      <ToolButton command={command} file={file} />
      {command.variants?.runsFirstVariant && <VariantsButton command={command} file={file} />}
    </Box>
  ))
}

interface ToolProps {
  command: Command
  file: FileAnswer
}

function ToolButton({ command, file }: ToolProps) {
  const { commands } = useFilesPage()
  const sources = useContentSources()
  const label = useCommandLabel()(command, [file])
  const { icon: CommandIcon, inViewer, run } = command
  const { copiedText, downloadHref }: ViewerButton = typeof inViewer === 'object' ? inViewer : {}
  if (copiedText)
    return <CopyButton showsOnlyIcon icon={CommandIcon} value={copiedText(file)} label={label} />
  if (!downloadHref)
    return <IconButton icon={CommandIcon} label={label} onClick={() => run?.([file], commands)} />
  return (
    <Tooltip label={label}>
      <ActionIcon
        component="a"
        href={downloadHref(file, sources)}
        download={nameOf(file.path)}
        // A link cannot download a file from another host: such a file opens in a new tab.
        target="_blank"
        variant="subtle"
        color="gray"
        aria-label={label}
      >
        <CommandIcon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function VariantsButton({ command, file }: ToolProps) {
  const w = useWords(actionWords)
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          w={20}
          miw={20}
          visibleFrom="sm"
          aria-label={w[command.variants!.textName]}
        >
          <IconChevronDown size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <VariantEntries command={command} target={[file]} />
      </Menu.Dropdown>
    </Menu>
  )
}
