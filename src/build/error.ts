/** What makes a build script stop: the message is all a person needs, so it is printed without a stack. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}
