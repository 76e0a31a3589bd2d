/** A terminal takes no more by escape sequence, and nobody pastes more. */
const COPY_MAX_CHARS = 256 * 1024;
const PROGRAM_DEADLINE_MS = 2_000;

const PROGRAMS: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  darwin: [["pbcopy"]],
  win32: [["clip.exe"]],
  linux: [["wl-copy"], ["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]],
};

/**
 * Puts `text` on the clipboard, by way of the terminal (which also works over ssh) and of the desktop's own program where there
 * is one. Resolves with how many characters were taken. Never rejects.
 * @param write writes to the terminal
 */
export async function copyText(text: string, write: (data: string) => void): Promise<number> {
  const taken = text.slice(0, COPY_MAX_CHARS).toWellFormed();
  write(`\u001b]52;c;${Buffer.from(taken).toString("base64")}\u0007`);
  const program = (PROGRAMS[process.platform] ?? []).find(([name]) => isUsable(name));
  if (program !== undefined) await feed(program, taken);
  return taken.length;
}

function isUsable(name: string): boolean {
  const { WAYLAND_DISPLAY, DISPLAY } = process.env;
  if (name === "wl-copy" && !WAYLAND_DISPLAY) return false;
  if ((name === "xclip" || name === "xsel") && !DISPLAY) return false;
  return Bun.which(name) !== null;
}

async function feed(argv: readonly [string, ...string[]], text: string): Promise<void> {
  try {
    const child = Bun.spawn([...argv], { stdin: new Blob([text]), stdout: "ignore", stderr: "ignore" });
    // xclip stays to serve the clipboard; it is not waited for beyond the moment that it needs to read.
    const timer = setTimeout(() => child.unref(), PROGRAM_DEADLINE_MS);
    await Promise.race([child.exited, Bun.sleep(PROGRAM_DEADLINE_MS)]);
    clearTimeout(timer);
  } catch {
    // The terminal has been told already; the program is only a second way.
  }
}
