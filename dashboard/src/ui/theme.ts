/** The theme of the pages: one accent colour, greys, system fonts, small radii. Other colours mark states. */
import {
  type BadgeProps,
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  type DrawerProps,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type PopoverProps,
  type TooltipProps,
} from '@mantine/core'

/**
 * Shade 8 is the background of white text in light mode, shade 7 in dark mode. Accented text has shade 4 in
 * dark mode.
 */
const accentShades: MantineColorsTuple = [
  '#eef4fc',
  '#dbe7f7',
  '#b5cdee',
  '#8cb6ee',
  '#7db4f5',
  '#4c8bd8',
  '#3a7bcb',
  '#2b6cbb',
  '#1c5fb0',
  '#124a8e',
]

/** Cool greys, like those of the light mode. */
const darkShades: MantineColorsTuple = [
  '#d9dde2',
  '#b8bec5',
  '#959ca4',
  '#6a7178',
  '#3d4248',
  '#32363b',
  '#25282c',
  '#1b1d20',
  '#16181a',
  '#101113',
]

/** Milliseconds that a dialog, drawer, menu, popover or tooltip takes to appear or disappear. */
const TRANSITION_MS = 120

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 7 },
  colors: { accent: accentShades, dark: darkShades },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '4px', md: '8px', lg: '8px', xl: '8px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
  respectReducedMotion: true,
  cursorType: 'pointer',
  // Plain objects, because `Menu.extend` and the like would make pages without a menu load the code of the
  // menu.
  components: {
    Badge: {
      defaultProps: { variant: 'default', size: 'sm', fw: 400, tt: 'none' } satisfies Partial<BadgeProps>,
    },
    Button: { defaultProps: { size: 'sm' } satisfies Partial<ButtonProps> },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: TRANSITION_MS },
      } satisfies Partial<ModalProps>,
    },
    Drawer: { defaultProps: { transitionProps: { duration: TRANSITION_MS } } satisfies Partial<DrawerProps> },
    Menu: {
      defaultProps: {
        // When a menu opens, the focus moves to its first entry, not to a placeholder that means nothing to a
        // screen reader.
        withInitialFocusPlaceholder: false,
        // A menu that is higher than the window scrolls.
        middlewares: { flip: true, shift: true, size: true },
        styles: { dropdown: { overflowY: 'auto' } },
        transitionProps: { duration: TRANSITION_MS },
      } satisfies Partial<MenuProps>,
    },
    Popover: {
      defaultProps: { transitionProps: { duration: TRANSITION_MS } } satisfies Partial<PopoverProps>,
    },
    Tooltip: {
      defaultProps: {
        openDelay: 400,
        withArrow: true,
        transitionProps: { duration: TRANSITION_MS },
      } satisfies Partial<TooltipProps>,
    },
  },
})

/** Colours as CSS variables. Muted text (`dimmed`) has a contrast of at least 4.5 : 1 on every background. */
export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--fundus-chessboard':
      'conic-gradient(var(--fundus-chess) 25%, transparent 0 50%, var(--fundus-chess) 0 75%, transparent 0) 0 0 / 16px 16px var(--mantine-color-body)',
    // A background on which both black and white drawings are visible.
    '--fundus-chessboard-grey':
      'conic-gradient(#8d949b 25%, #a3a9af 0 50%, #8d949b 0 75%, #a3a9af 0) 0 0 / 16px 16px',
  },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#5a626b',
    '--mantine-color-placeholder': '#6b737c',
    '--mantine-color-error': '#c22121',
    '--fundus-ground': '#f5f6f8',
    '--fundus-line': '#dfe3e8',
    '--fundus-hover': '#eceff3',
    '--fundus-chess': '#e6e9ed',
    '--fundus-good': '#1f7a3f',
    '--fundus-warn': '#9a5b00',
    '--fundus-bad': '#c22121',
  },
  dark: {
    '--mantine-color-body': '#1b1d20',
    '--mantine-color-dimmed': '#a9b0b8',
    '--mantine-color-placeholder': '#969da5',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#7db4f5',
    '--fundus-ground': '#131517',
    '--fundus-line': '#32363b',
    '--fundus-hover': '#272a2e',
    '--fundus-chess': '#26292d',
    '--fundus-good': '#5fca84',
    '--fundus-warn': '#e8b04a',
    '--fundus-bad': '#ff8787',
  },
})
