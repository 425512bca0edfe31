/** The icon buttons of a card or a table row: some commands, and the menu with all that apply to the file. */
import { IconCheck, IconDots } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useConfirmationTick } from '../../ui/copy-button.tsx'
import { useCommandLabel } from '../commands/command-menu.tsx'
import { appliesTo, COMMAND_LIST, type Command } from '../commands/commands.tsx'
import { useFilesPage } from '../files-context.ts'
import type { FileAnswer } from '../types.ts'
import { actionWords } from '../words.ts'

const CARD_COMMANDS = COMMAND_LIST.filter(({ inCards }) => inCards !== undefined)

/**
 * `data-action` tells `useCardEvents` that a click is meant for a button and not for the card. The menu
 * button has no handler of its own: `useCardEvents` opens the menu.
 */
export function CardButtons({ file, className }: { file: FileAnswer; className: string | undefined }) {
  const w = useWords(actionWords)
  return (
    <span className={className}>
      {CARD_COMMANDS.filter(command => appliesTo(command, [file])).map(command => (
        <CommandButton key={command.icon.displayName} command={command} file={file} />
      ))}
      <button
        type="button"
        data-action="more"
        title={w.more}
        aria-label={w.moreOf(nameOf(file.path))}
        aria-haspopup="menu"
      >
        <IconDots size={16} aria-hidden />
      </button>
    </span>
  )
}

function CommandButton({ command, file }: { command: Command; file: FileAnswer }) {
  const w = useWords(actionWords)
  const { commands } = useFilesPage()
  const [isTicked, setTicked] = useConfirmationTick()
  const label = useCommandLabel()(command, [file])
  const { href, inCards, run } = command
  const Icon = isTicked ? IconCheck : command.icon
  const icon = <Icon size={16} aria-hidden />
  if (href) {
    return (
      <a
        href={href(file)}
        target="_blank"
        rel="noreferrer"
        data-action="command"
        title={label}
        aria-label={label}
        draggable={false}
      >
        {icon}
      </a>
    )
  }
  const tickButton = typeof inCards === 'object' ? inCards : undefined
  return (
    <button
      type="button"
      data-action="command"
      title={label}
      aria-label={isTicked && tickButton ? tickButton.tickText(w) : label}
      onClick={async () => {
        if (tickButton) setTicked(await tickButton.run(file, commands))
        else run?.([file], commands)
      }}
    >
      {icon}
    </button>
  )
}
