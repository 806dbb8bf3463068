// The public API of trenio.
