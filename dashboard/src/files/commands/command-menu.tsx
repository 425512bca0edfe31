/** The menus of commands: menu entries, the context menu, submenus and split buttons. */
import { ActionIcon, Group, Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useWords } from '../../language/language.tsx'
import { usePictureSizes } from '../../state/picture-sizes.ts'
import { ButtonWithIcon, MenuEntry } from '../../ui/buttons.tsx'
import { hasPictureSizes } from '../actions/copy-forms.ts'
import { type ContextMenuState, useFilesPage } from '../files-context.ts'
import { filesOf, singleFileOf, type Target } from '../target.ts'
import { actionWords } from '../words.ts'
import { type Command, menuSections } from './commands.tsx'

export function ContextMenu({ shownMenu, onClose }: { shownMenu: ContextMenuState | null; onClose(): void }) {
  if (!shownMenu) return null
  const close = () => {
    onClose()
    // `returnFocusTo` gets the focus first. If the command has opened a dialog, the dialog takes the focus
    // afterwards, and returns it to `returnFocusTo` when it is closed.
    if (shownMenu.returnFocusTo instanceof HTMLElement) shownMenu.returnFocusTo.focus()
  }
  return (
    <Menu opened onClose={close} position="bottom-start" width={240} trapFocus withinPortal>
      <Menu.Target>
        {/* A button, because Mantine adds ARIA attributes that a plain `div` must not have. */}
        <UnstyledButton
          tabIndex={-1}
          aria-hidden
          style={{ position: 'fixed', left: shownMenu.x, top: shownMenu.y }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <CommandEntries target={shownMenu.target} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** The menu entries for a target, without `excludedCommand`, which is of no use where the menu is shown. */
export const CommandEntries = ({ target, excludedCommand }: { target: Target; excludedCommand?: Command }) =>
  menuSections(target, excludedCommand).map((commands, index) => (
    <Fragment key={index}>
      {index > 0 && <Menu.Divider />}
      {commands.map(command => (
        <Fragment key={command.icon.displayName}>
          <CommandEntry command={command} target={target} />
          {command.variants && <VariantsMenu command={command} target={target} />}
        </Fragment>
      ))}
    </Fragment>
  ))

interface EntryProps {
  command: Command
  target: Target
}

export function useCommandLabel(): (command: Command, target: Target) => string {
  const w = useWords(actionWords)
  return ({ textName }, target) => w[typeof textName === 'string' ? textName : textName(target)]
}

/** Returns a function that gives the text of a command in the list of shortcuts. */
export function useShortcutLabel(): (command: Command) => string {
  const w = useWords(actionWords)
  const labelOf = useCommandLabel()
  return command => (command.shortcutTextName ? w[command.shortcutTextName] : labelOf(command, []))
}

export function CommandEntry({ command, target }: EntryProps) {
  const { commands } = useFilesPage()
  const label = useCommandLabel()(command, target)
  const { icon, danger = false, href, run } = command
  const file = singleFileOf(target)
  if (href && file) return <MenuEntry icon={icon} label={label} href={href(file)} />
  return <MenuEntry icon={icon} label={label} danger={danger} onClick={() => run?.(target, commands)} />
}

/** The entries for the variants of a command. */
export function VariantEntries({ command, target }: EntryProps) {
  const w = useWords(actionWords)
  const { commands } = useFilesPage()
  return (
    <>
      {command.variants?.items.map(({ textName, run }) => (
        <Menu.Item key={textName} onClick={() => run(target, commands)}>
          {w[textName]}
        </Menu.Item>
      ))}
      <SizeEntries command={command} target={target} />
    </>
  )
}

function SizeEntries({ command, target }: EntryProps) {
  const w = useWords(actionWords)
  const { commands } = useFilesPage()
  const sizes = usePictureSizes()
  const runInSize = command.variants?.runInSize
  if (!runInSize || sizes.length === 0 || !filesOf(target).some(hasPictureSizes)) return null
  return (
    <>
      <Menu.Divider />
      <Menu.Item onClick={() => runInSize(null, target, commands)}>{w.responsive}</Menu.Item>
      {sizes.map(size => (
        <Menu.Item key={size.name} onClick={() => runInSize(size, target, commands)}>
          {w.addressInSize(size.name)}
        </Menu.Item>
      ))}
    </>
  )
}

function VariantsMenu({ command, target }: EntryProps) {
  const w = useWords(actionWords)
  const { textName, icon: VariantsIcon } = command.variants!
  return (
    // Fixed, because a menu that is higher than the window scrolls, and would cut off a submenu positioned
    // within it.
    <Menu.Sub floatingStrategy="fixed" offset={6}>
      <Menu.Sub.Target>
        <Menu.Sub.Item
          leftSection={
            VariantsIcon ? (
              <VariantsIcon size={18} stroke={1.6} aria-hidden />
            ) : (
              <span style={{ width: 18 }} />
            )
          }
        >
          {w[textName]}
        </Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <VariantEntries command={command} target={target} />
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}

interface SplitButtonProps extends EntryProps {
  label: string
  onClick(): void
}

/** A button for a command, beside a button that opens a menu of its variants. */
export function SplitButton({ command, target, label, onClick }: SplitButtonProps) {
  const w = useWords(actionWords)
  return (
    <Group gap={1} wrap="nowrap">
      <ButtonWithIcon
        icon={command.icon}
        label={label}
        style={{ borderTopRightRadius: 0, borderBottomRightRadius: 0 }}
        onClick={onClick}
      />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            size={36}
            aria-label={w[command.variants!.textName]}
            style={{ borderTopLeftRadius: 0, borderBottomLeftRadius: 0 }}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <VariantEntries command={command} target={target} />
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
