package com.example.rally;

import com.getcapacitor.BridgeActivity;

public class MainActivity extends BridgeActivity {}
