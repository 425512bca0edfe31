/** The path of the open folder, each step a link; files and folders can be dropped on each step. */
import { ActionIcon, Anchor, Breadcrumbs, Group, Menu } from '@mantine/core'
import { IconDots, IconListSearch } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWords } from '../../language/language.tsx'
import { ancestry, nameOf } from '../../parts/paths.ts'
import { FolderItems, type FolderMenuActions } from './actions/context-menu.tsx'
import { type Dragged, dropTarget } from './actions/drag.ts'
import classes from './files.module.css'
import { words } from './words.ts'

export interface CrumbsProps {
  folder: string
  hrefOf(folder: string): string
  onDrop(what: Dragged, folder: string): void
  menu: FolderMenuActions
}

export function Crumbs({ folder, hrefOf, onDrop, menu }: CrumbsProps) {
  const w = useWords(words)
  return (
    <Group gap={4} wrap="nowrap" mih={28}>
      <Breadcrumbs
        component="nav"
        aria-label={w.crumbs}
        separator="/"
        separatorMargin={4}
        className={classes.crumbs}
      >
        {['', ...ancestry(folder)].map(path => (
          <Anchor
            key={path}
            component={Link}
            href={hrefOf(path)}
            className={classes.crumb}
            aria-current={path === folder ? 'page' : undefined}
            {...dropTarget(path, onDrop)}
          >
            {path === '' ? w.top : nameOf(path)}
          </Anchor>
        ))}
      </Breadcrumbs>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={w.folderMenu}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <FolderItems folder={folder} {...menu} />
          <Menu.Divider />
          <Menu.Item
            component={Link}
            href="/dateien/fehlende"
            leftSection={<IconListSearch size={18} stroke={1.6} aria-hidden />}
          >
            {w.missing}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
