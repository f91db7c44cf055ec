"""The notebooks as a learner meets them: JupyterLab in a real browser, sliders moved by keyboard."""
